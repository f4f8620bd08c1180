/** Another library that examines an address, in process and without a network. */
export interface Peer {
  readonly name: string;
  readonly does: string;
  readonly look: (email: string) => unknown;
  /** Whether the library would refuse the address; not timed. */
  readonly refuses: (email: string) => Promise<boolean>;
}

export type LoadPeer = () => Promise<Peer>;

export const mailchecker: LoadPeer = async () => {
  const { default: MailChecker } = await import('mailchecker');
  return {
    name: 'mailchecker',
    does: 'form, one disposable list',
    look: (email) => MailChecker.isValid(email),
    refuses: async (email) => !MailChecker.isValid(email),
  };
};

export const deepEmailValidator: LoadPeer = async () => {
  const { validate } = await import('deep-email-validator');
  const look = (email: string) => validate({ email, validateMx: false, validateSMTP: false });
  return {
    name: 'deep-email-validator, MX and SMTP off',
    does: 'form, typo, one disposable list',
    look,
    refuses: async (email) => !(await look(email)).valid,
  };
};

export const arcjet: LoadPeer = async () => {
  const { initializeWasm } = await import('@arcjet/analyze-wasm');
  const unknown = (): 'unknown' => 'unknown';
  const wasm = await initializeWasm({
    'arcjet:js-req/bot-identifier': { detect: () => [] },
    'arcjet:js-req/email-validator-overrides': {
      isFreeEmail: unknown,
      isDisposableEmail: unknown,
      hasMxRecords: unknown,
      hasGravatar: unknown,
    },
    'arcjet:js-req/filter-overrides': { ipLookup: () => undefined },
    'arcjet:js-req/sensitive-information-identifier': { detect: () => [] },
    'arcjet:js-req/verify-bot': { verify: () => 'unverifiable' },
  });
  if (wasm === undefined) throw new Error('its WebAssembly does not start');
  const val = { requireTopLevelDomain: true, allowDomainLiteral: false, deny: ['DISPOSABLE', 'INVALID'] };
  const look = (email: string) => wasm.isValidEmail(email, { tag: 'deny-email-validation-config', val });
  return {
    name: '@arcjet/analyze-wasm `isValidEmail`',
    does: 'form; whatever needs a list it asks of callbacks, which know nothing here',
    look,
    refuses: async (email) => look(email).blocked.length > 0,
  };
};

import { createRequire } from 'node:module';
import { listOf, namesDomain } from './domain-lists.ts';

const require = createRequire(import.meta.url);

/** Answers whether a domain is disposable. */
export type Asks = (domain: string) => boolean | Promise<boolean>;

/** Each entry loads its package only when called, so that the package's memory can be measured. */
export const DISPOSABLE_PEERS = {
  'disposable-domains': () => byList(listOf('disposable-domains')),
  'disposable-email-domains-js': () => {
    const { isDisposableEmail } = require('disposable-email-domains-js');
    return (domain) => isDisposableEmail(`x@${domain}`);
  },
  mailchecker: () => byList(require('mailchecker').blacklist()),
  'disposable-email-domains': () =>
    byList(
      new Set([...listOf('disposable-email-domains'), ...listOf('disposable-email-domains/wildcard.json')]),
    ),
  fakefilter: () => {
    // The package's own look-up builds a RegExp for each of its domains on each call; the list is the same.
    const { domains }: { domains: Readonly<Record<string, unknown>> } = require('fakefilter/json/data.json');
    return byList(new Set(Object.keys(domains)));
  },
  'deep-email-validator': () => {
    const { validate } = require('deep-email-validator');
    const off = { validateRegex: false, validateTypo: false, validateMx: false, validateSMTP: false };
    return async (domain) => {
      const { valid } = await validate({ ...off, email: `x@${domain}`, validateDisposable: true });
      return !valid;
    };
  },
} as const satisfies Readonly<Record<string, () => Asks>>;

function byList(list: ReadonlySet<string>): Asks {
  return (domain) => namesDomain(list, domain);
}

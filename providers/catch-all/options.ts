import type { JsonSchema } from 'postern/provider-kit';
import type { Manner } from './prober.ts';

export const OPTIONS: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    mode: {
      description:
        'off: never answer. cached: from what is known, and ask in the background. live: ask while the check waits.',
      enum: ['off', 'cached', 'live'],
      default: 'cached',
    },
    helo_name: {
      description: 'Your own host name, to greet mail servers with. Null: no SMTP connection is ever made.',
      type: ['string', 'null'],
      // A host name or an address literal (RFC 5321 section 4.1.4); it must lead to the address that connects.
      pattern: '^\\[?[A-Za-z0-9][A-Za-z0-9.:-]*\\]?$',
      maxLength: 255,
      default: null,
    },
    port: {
      description: 'The port of the mail servers to ask.',
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      default: 25,
    },
    allow_private_addresses: {
      description: 'Whether mail servers at private addresses may be asked; for tests only.',
      type: 'boolean',
      default: false,
    },
    daily_probes: {
      description: 'Mail servers that may be asked on one UTC day, in all.',
      type: 'integer',
      minimum: 0,
      default: 1_000,
    },
    daily_probes_per_domain: {
      description: 'Of these, for one registered domain and its subdomains.',
      type: 'integer',
      minimum: 0,
      default: 4,
    },
  },
};

export type Mode = 'off' | 'cached' | 'live';

/** The options, checked by the host. */
export interface Options {
  readonly mode: Mode;
  /** Null: no mail host is asked. */
  readonly manner: Manner | null;
}

export function readOptions(options: Readonly<Record<string, unknown>>): Options {
  const { mode, helo_name: heloName } = options;
  const manner = {
    port: Number(options.port),
    allowPrivateAddresses: options.allow_private_addresses === true,
    dailyProbes: Number(options.daily_probes),
    dailyProbesPerDomain: Number(options.daily_probes_per_domain),
  };
  return {
    mode: mode === 'off' || mode === 'live' ? mode : 'cached',
    manner: typeof heloName === 'string' ? { heloName, ...manner } : null,
  };
}

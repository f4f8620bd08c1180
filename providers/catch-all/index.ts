import { readFileSync } from 'node:fs';
import { defineProvider, unknown } from 'postern/provider-kit';
import { parse } from 'yaml';

type Known = 'never' | 'unknown';
type Table = Readonly<
  Record<Known, readonly { readonly provider: string; readonly domains: readonly string[] }[]>
>;

export default defineProvider<ReadonlyMap<string, Known>>({
  id: 'catch_all',
  apiVersion: 1,
  description:
    'Whether the domain takes mail for every local part; from a table of big providers only, so far.',
  stage: 'local',
  cache: { by: 'domain' },
  facts: [
    {
      id: 'domain.is_catch_all',
      slot: 'domain.is_catch_all',
      type: 'boolean',
      description: 'The domain takes mail for any local part, so that an address proves nothing.',
      example: false,
    },
  ],
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      mode: {
        description:
          'off: never answer. cached: from what is known. live: ask while the check waits (as cached, so far).',
        enum: ['off', 'cached', 'live'],
        default: 'cached',
      },
      helo_name: {
        description: 'The name to greet mail servers with. Null: no SMTP connection is ever made.',
        type: ['string', 'null'],
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
    },
  },
  prepare: ({ options }) => {
    if (options.mode === 'off') return { state: new Map<string, Known>() };
    const state = loadTable();
    return { state, lists: [{ name: 'data/domains.yaml', entries: state.size }] };
  },
  check: ({ canonical }, { state }) => {
    const known = state.get(canonical.domain);
    if (known === 'never') return { facts: { 'domain.is_catch_all': false }, evidence: { from: 'table' } };
    return unknown('not_run', known === 'unknown' ? 'not to be found out from outside' : 'not in the table');
  },
});

function loadTable(): ReadonlyMap<string, Known> {
  const table: Table = parse(readFileSync(new URL('./data/domains.yaml', import.meta.url), 'utf8'));
  const rows = (known: Known) =>
    table[known].flatMap(({ domains }) => domains.map((domain) => [domain, known] as const));
  return new Map([...rows('never'), ...rows('unknown')]);
}

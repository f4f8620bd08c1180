import { closed, INSTANT, type LiteralSchema, listOf, named, nullable, TEXT } from '../json-types.ts';
import { DATA_LIST } from '../lists/lists.schema.ts';

const FLAG = { type: 'boolean' } as const;

const PROVIDER: LiteralSchema = named(
  'provider',
  closed({
    id: TEXT,
    description: TEXT,
    stage: { enum: ['local', 'network'] },
    is_enabled: FLAG,
    facts: listOf(
      named(
        'provider_fact',
        closed({
          id: TEXT,
          description: TEXT,
          type: { enum: ['boolean', 'integer', 'number', 'string'] },
          values: listOf(TEXT),
          slot: { ...nullable(TEXT), description: 'The place of the response that it fills.' },
          is_never_unknown: FLAG,
          is_personal: { ...FLAG, description: 'It quotes the address.' },
        }),
      ),
    ),
    needs: { ...listOf(TEXT), description: 'Facts of others that it waits for.' },
    uses: { ...listOf(TEXT), description: 'What it may touch.' },
    source: { ...nullable(TEXT), description: 'The version of its data.' },
    lists: listOf(DATA_LIST),
    options: listOf(closed({ name: TEXT, value: {}, description: nullable(TEXT) })),
    timeout_ms: {
      ...nullable({ type: 'integer' }),
      description: 'Null where the deadline of the check is all.',
    },
    cache: nullable(
      closed({
        by: { enum: ['domain', 'address'] },
        known_seconds: nullable({ type: 'number' }),
        unknown_seconds: nullable({ type: 'number' }),
      }),
    ),
  }),
);

export const PROVIDERS: LiteralSchema = closed({
  providers: listOf(PROVIDER),
  deadline_ms: { type: 'integer' },
  dns_servers: {
    ...listOf(
      named(
        'dns_server',
        closed({
          server: TEXT,
          is_out: { ...FLAG, description: 'Its circuit is open: it does not reply, and is only probed.' },
          since: { ...nullable(INSTANT), description: 'Null where it has replied since the start.' },
        }),
      ),
    ),
    description: 'Those that names are asked of.',
  },
});

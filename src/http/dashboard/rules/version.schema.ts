import { closed, INSTANT, type LiteralSchema, listOf, named, nullable, TEXT } from '../json-types.ts';
import { FILES } from './draft.schema.ts';

const WHOLE = { type: 'integer' } as const;

export const FILE_CHANGE: LiteralSchema = named(
  'rule_file_change',
  closed({
    file: TEXT,
    change: { enum: ['added', 'deleted', 'changed'] },
    added: { ...WHOLE, description: 'Lines.' },
    removed: WHOLE,
  }),
);

const version = {
  version: WHOLE,
  ruleset: { ...nullable(TEXT), description: 'Null for files that were saved and could not be compiled.' },
  digest: TEXT,
  at: INSTANT,
  author: nullable(TEXT),
  reason: { enum: ['start', 'change', 'sighup', 'rollback', 'expiry', 'draft'] },
  restores: nullable(WHOLE),
  in_force: { type: 'boolean' },
  changes: listOf(FILE_CHANGE),
} as const;

export const VERSION: LiteralSchema = named('rule_version', closed(version));
export const OPENED_VERSION: LiteralSchema = named(
  'rule_version_opened',
  closed({ ...version, files: FILES }),
);

export const COMPARISON: LiteralSchema = named(
  'rule_comparison',
  closed({
    files: listOf(FILE_CHANGE),
    patch: { ...TEXT, description: 'What patch -p1 takes.' },
    faulty: {
      ...listOf({ enum: ['before', 'after'] }),
      description: 'The sides that lint would refuse now, for which the meaning is not told.',
    },
    changes: {
      ...nullable(
        listOf(
          named(
            'rule_change',
            closed({
              subject: TEXT,
              id: TEXT,
              change: { enum: ['added', 'removed', 'changed', 'renamed'] },
              decides: { type: 'boolean', description: 'Whether a decision can be another by it.' },
              details: listOf(closed({ what: TEXT, before: {}, after: {} })),
              concerns: listOf(TEXT),
            }),
          ),
        ),
      ),
      description: 'What means something else; what decides comes first.',
    },
  }),
);

import { mayLookInto, type Person } from '../../../accounts/person.ts';
import { ATTENTION } from '../../../attention/attention.ts';
import { CONDITION_IDS, type Finding } from '../../../attention/conditions.ts';
import { closed, listOf, nullable, record, TEXT } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';

const FINDING = record('attention_finding', {
  id: { type: 'string', enum: CONDITION_IDS },
  severity: { type: 'string', enum: ['critical', 'warning'] },
  title: TEXT,
  remedy: { type: 'string', description: 'What to do, in a sentence.' },
  page: {
    ...TEXT,
    description: 'Of the dashboard: where it is shown, or the part of a document that says what to do.',
  },
  found: listOf(
    closed({ text: TEXT, account_id: nullable(TEXT, 'Null for what concerns the installation.') }),
  ),
});

const { define, area } = areaOf('attention', 'What wants a person.', { attention: ATTENTION });

function present({ found, ...finding }: Finding, person: Person) {
  const told = found.filter(({ accountId }) => mayLookInto(person, accountId));
  return { ...finding, found: told.map(({ text, accountId }) => ({ text, account_id: accountId })) };
}

export const ATTENTION_AREA = area({
  list_attention: define('GET /attention', {
    summary: 'The conditions that want a person now, the most urgent first.',
    description: 'Members are told of the keys and the quota of their accounts, operators of everything.',
    access: 'signed_in',
    answer: { description: 'None, where all is well.', schema: closed({ findings: listOf(FINDING) }) },
    handle: async ({ attention }, { person }) => ({
      findings: (await attention.look())
        .map((finding) => present(finding, person))
        .filter(({ found }) => found.length > 0),
    }),
  }),
});

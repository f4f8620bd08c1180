import { defineProvider, wordsOf } from 'postern/provider-kit';
import { loadGroups, spellings } from './load.ts';

/** RFC 2142 section 6: each mailing list has an administrative address of this form. */
const LIST_REQUEST = '-request';
/** Automatic senders put their subject before or after it, as in `noreply-orders`. */
const NO_REPLY = /^no-?reply[-._]|[-._]no-?reply$/;

/** Cuts at a plus sign, which the canonical form keeps where a provider has no tags: `info+x` is `info` too. */
function withoutTag(localPart: string): string {
  const plus = localPart.indexOf('+', 1);
  return plus === -1 ? localPart : localPart.slice(0, plus);
}

export default defineProvider<ReadonlySet<string>>({
  id: 'role_account',
  apiVersion: 1,
  description: 'Whether the local part names a function or a group rather than a person.',
  stage: 'local',
  facts: [
    {
      id: 'domain.is_role_account',
      slot: 'domain.is_role_account',
      type: 'boolean',
      description: 'The canonical local part names a function, such as info, sales or postmaster.',
      example: false,
      never_unknown: true,
    },
  ],
  prepare: () => {
    const groups = loadGroups();
    const dates = groups.map(({ date }) => date).sort();
    const date = dates.at(-1) ?? 'none';
    const entries = groups.flatMap(({ names }) => names).length;
    return {
      state: spellings(groups),
      source: `roles@${date}`,
      lists: [{ name: 'data/roles.yaml', date, entries }],
    };
  },
  check: (address, { state }) => {
    const name = withoutTag(wordsOf(address));
    return {
      facts: {
        'domain.is_role_account': state.has(name) || name.endsWith(LIST_REQUEST) || NO_REPLY.test(name),
      },
    };
  },
});

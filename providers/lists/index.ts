import { type Address, defineProvider, type ListEntry } from 'postern/provider-kit';
import { type Index, indexEntries, levelsOf } from './precedence.ts';

interface State {
  readonly allow: Index;
  readonly deny: Index;
}

type Verdict = { readonly list: 'allow' | 'deny'; readonly entry: ListEntry } | undefined;

export default defineProvider<State>({
  id: 'lists',
  apiVersion: 1,
  description: "Whether the operator's own allow or deny list names the address.",
  stage: 'local',
  facts: [
    {
      id: 'lists.allowed',
      type: 'boolean',
      description:
        'The allow list names the address, its domain or a parent, more closely than the deny list or as closely.',
      example: false,
      never_unknown: true,
    },
    {
      id: 'lists.denied',
      type: 'boolean',
      description:
        'The deny list names the address, its domain or a parent, more closely than the allow list.',
      example: false,
      never_unknown: true,
    },
  ],
  prepare: ({ lists }) => ({ state: { allow: indexEntries(lists.allow), deny: indexEntries(lists.deny) } }),
  check: (address, { state }) => {
    const verdict = judge(address, state);
    const facts = { 'lists.allowed': verdict?.list === 'allow', 'lists.denied': verdict?.list === 'deny' };
    return verdict === undefined ? { facts } : { facts, evidence: evidenceOf(verdict) };
  },
});

/** The closest level that either list knows decides; at the same level the allow list does. */
function judge(address: Address, { allow, deny }: State): Verdict {
  if (allow.size === 0 && deny.size === 0) return undefined;
  for (const keys of levelsOf(address)) {
    for (const [list, index] of [['allow', allow] as const, ['deny', deny] as const]) {
      const key = keys.find((candidate) => index.has(candidate));
      const entry = key === undefined ? undefined : index.get(key);
      if (entry) return { list, entry };
    }
  }
  return undefined;
}

function evidenceOf({ list, entry }: NonNullable<Verdict>): Readonly<Record<string, unknown>> {
  const { value, reason, owner } = entry;
  // The value of an entry that is an address would quote the person, so show only its kind.
  if (value.includes('@')) return { list, kind: 'address', reason, owner };
  return { list, kind: value.startsWith('.') ? 'suffix' : 'domain', value, reason, owner };
}

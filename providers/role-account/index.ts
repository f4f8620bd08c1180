import { defineProvider } from 'postern/provider-kit';
import { loadRoleNames, PACKAGE, packageVersion } from './load.ts';

/** RFC 2142 section 6: each mailing list has an administrative address of this form. */
const LIST_REQUEST = '-request';

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
    const state = loadRoleNames();
    const version = packageVersion();
    const list = { name: PACKAGE, version, entries: state.size };
    return { state, source: `${PACKAGE}@${version}`, lists: [list] };
  },
  check: ({ canonical: { localPart } }, { state }) => ({
    facts: { 'domain.is_role_account': state.has(localPart) || localPart.endsWith(LIST_REQUEST) },
  }),
});

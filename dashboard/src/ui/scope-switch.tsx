import { SegmentedControl } from '@mantine/core';
import { useAccount } from '../account-in-view.ts';
import { useAddress } from '../address.ts';
import { useSession } from '../api/session.ts';
import { isAll, useScope } from '../scope.ts';

/** For operators: the account in view, or all of them. Nothing for members, who have no choice. */
export function ScopeSwitch() {
  const { operator_role } = useSession();
  const account = useAccount();
  const scope = useScope();
  const [, put] = useAddress();
  if (operator_role === null || account === undefined) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label="Whose checks"
      data={[
        { value: 'one', label: 'This account' },
        { value: 'all', label: 'All accounts' },
      ]}
      value={isAll(scope) ? 'all' : 'one'}
      onChange={(value) => put({ scope: value === 'all' ? 'all' : null })}
    />
  );
}

import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useAccount } from '../account-in-view.ts';
import { useSession } from '../api/session.ts';
import { isAll, useScope } from '../scope.ts';

/** For operators: the account in view, or all of them. Nothing for members, who have no choice. */
export function ScopeSwitch() {
  const { operator_role } = useSession();
  const account = useAccount();
  const scope = useScope();
  const [, setSearch] = useSearchParams();
  if (operator_role === null || account === undefined) return null;
  const choose = (value: string) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      if (value === 'all') next.set('scope', 'all');
      else next.delete('scope');
      return next;
    });
  return (
    <SegmentedControl
      size="xs"
      aria-label="Whose checks"
      data={[
        { value: 'one', label: 'This account' },
        { value: 'all', label: 'All accounts' },
      ]}
      value={isAll(scope) ? 'all' : 'one'}
      onChange={choose}
    />
  );
}

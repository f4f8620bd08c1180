import { Button, Code } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useAccount } from '../../account-in-view.ts';
import { useSession } from '../../api/session.ts';
import { checkOfAnyAccount, isAll, type Scope } from '../../scope.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** In place of a check that is not on record where the page looks. */
export function NoSuchCheck({ id, scope }: { readonly id: string; readonly scope: Scope }) {
  const { operator_role } = useSession();
  const account = useAccount();
  const mayLookFurther = operator_role !== null && !isAll(scope);
  return (
    <EmptyState
      icon={IconListSearch}
      title={
        isAll(scope) ? 'No account has this check' : `${account?.name ?? 'This account'} has no such check`
      }
      action={
        mayLookFurther ? (
          <Button component={AccountLink} href={checkOfAnyAccount(id)}>
            Look in all accounts
          </Button>
        ) : (
          <Button component={AccountLink} href={isAll(scope) ? '/checks?scope=all' : '/checks'}>
            To the checks
          </Button>
        )
      }
    >
      {'Nothing is on record under '}
      <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
      {'. The id may be cut or mistyped, the check older than records are kept, erased with its person'}
      {isAll(scope) ? '.' : ', or of another account.'}
    </EmptyState>
  );
}

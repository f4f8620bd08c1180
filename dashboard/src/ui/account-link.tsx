import type { ComponentProps } from 'react';
import { Link, useSearchParams } from 'wouter';
import { withAccount } from '../account-choice.ts';

type Props = Omit<ComponentProps<'a'>, 'href'> & { readonly href: string };

/** A link to a page of the app; the account in view goes along. */
export function AccountLink({ href, ...rest }: Props) {
  const [search] = useSearchParams();
  return <Link {...rest} href={withAccount(href, search.get('account'))} />;
}

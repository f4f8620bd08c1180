import { Anchor, type AnchorProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Link, useSearchParams } from 'wouter';
import { withParameter } from '../account-choice.ts';

type Props = Omit<ComponentProps<'a'>, 'href'> & { readonly href: string };

/** A link to a page of the app; the account in view goes along. */
export function AccountLink({ href, ...rest }: Props) {
  const [search] = useSearchParams();
  return <Link {...rest} href={withParameter(href, 'account', search.get('account'))} />;
}

type TextLinkProps = AnchorProps & Omit<Props, keyof AnchorProps>;

/** The same within or below a text. */
export function TextLink(props: TextLinkProps) {
  return <Anchor component={AccountLink} size="sm" {...props} />;
}

/** One that stands alone in its line, with the least height of a pointer target (WCAG 2.2, 2.5.8). */
export function TallLink(props: TextLinkProps) {
  return <TextLink display="inline-block" lh="24px" {...props} />;
}

import { NavLink } from '@mantine/core';
import { useLocation } from 'wouter';
import { may } from '../access.ts';
import { useAccount } from '../account-in-view.ts';
import { useSameScope } from '../address.ts';
import { useSession } from '../api/session.ts';
import { PAGES, SECTIONS } from '../pages.ts';
import { AccountLink } from '../ui/account-link.tsx';
import { pageInView } from './navigation-order.ts';
import classes from './shell.module.css';

/** The pages that the person may open, by section. */
export function Navigation() {
  const session = useSession();
  const account = useAccount();
  const [path] = useLocation();
  const sameScope = useSameScope();
  const visible = PAGES.filter(({ access }) => may(access, session, account));
  const inView = pageInView(
    path,
    visible.map((entry) => entry.path),
  );
  return SECTIONS.map((section) => {
    const entries = visible.filter((entry) => entry.section === section);
    if (entries.length === 0) return null;
    return (
      <div key={section}>
        <div className={classes.section} aria-hidden>
          {section}
        </div>
        {entries.map(({ path: href, title, icon: PageIcon }) => (
          <NavLink
            key={href}
            component={AccountLink}
            href={sameScope(href)}
            label={title}
            active={href === inView}
            aria-current={href === inView ? 'page' : undefined}
            leftSection={<PageIcon size={18} stroke={1.6} aria-hidden />}
          />
        ))}
      </div>
    );
  });
}

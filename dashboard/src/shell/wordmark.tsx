import { AccountLink } from '../ui/account-link.tsx';
import classes from './shell.module.css';

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--mantine-primary-color-filled)" />
      <path d="M10 26V14a6 6 0 0 1 12 0v12h-4V14a2 2 0 0 0-4 0v12z" fill="#fff" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className={classes.wordmark}>
      <Mark />
      Postern
    </span>
  );
}

export function HomeLink() {
  return (
    <AccountLink href="/" className={classes.wordmark} aria-label="Postern, first page">
      <Mark />
      <span className={classes.word}>Postern</span>
    </AccountLink>
  );
}

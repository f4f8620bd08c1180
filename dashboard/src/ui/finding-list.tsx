import { Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { type Finding, pageOf } from '../api/attention.ts';
import { TextLink } from './account-link.tsx';
import { Dimmed } from './dimmed.tsx';
import classes from './finding-list.module.css';

interface Props {
  readonly findings: readonly Finding[];
  /** Called when a link is followed. */
  readonly onLeave?: () => void;
}

/** Each condition with what it found, what to do, and the page where it can be done. */
export function FindingList({ findings, onLeave }: Props) {
  return (
    <ul className={classes.list}>
      {findings.map((finding) => {
        const { id, severity, title, remedy, found } = finding;
        const FindingIcon = severity === 'critical' ? IconAlertTriangle : IconInfoCircle;
        return (
          <li key={id} className={classes.finding} data-severity={severity}>
            <FindingIcon size={18} stroke={1.8} aria-hidden />
            <div>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              {found.map(({ text, account_id }) => {
                const href = pageOf(finding, account_id);
                return (
                  <Text size="sm" key={`${account_id} ${text}`}>
                    {text}{' '}
                    <TextLink href={href} underline="always" onClick={onLeave}>
                      {href.startsWith('/docs/') ? 'Read about it' : 'Look at it'}
                      <span className={classes.more}>: {title}</span>
                    </TextLink>
                  </Text>
                );
              })}
              <Dimmed>{remedy}</Dimmed>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

import { Alert, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { TextLink } from '../../ui/account-link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextList } from '../../ui/text-list.tsx';
import { type Rules, WATCH_MS } from './queries.ts';

/** By then the service has taken rules that were published a moment ago. */
const LONGER_THAN_A_POLL_MS = 1.5 * WATCH_MS;

interface Props {
  readonly rules: Rules;
}

/** Notices about the rules directory and the rules in force, not about the text. */
export function StateNotices({ rules: { complaint, directory } }: Props) {
  const [before] = useDebouncedValue(directory.state, LONGER_THAN_A_POLL_MS);
  return (
    <>
      {complaint !== null && (
        <Alert
          color="orange"
          icon={<IconAlertTriangle aria-hidden />}
          title={
            complaint.kind === 'refused'
              ? 'What is published is not in force'
              : 'The tests of the rules in force fail'
          }
        >
          <Text size="sm">
            Told <RelativeTime at={complaint.at} />. Mend the files in {directory.path}, or roll back in the{' '}
            <HistoryLink />.
          </Text>
          <TextList items={complaint.faults.slice(0, 5)} isCode mt="xs" />
        </Alert>
      )}
      {complaint === null && directory.state !== 'same' && before !== 'same' && (
        <Alert
          color="orange"
          icon={<IconAlertTriangle aria-hidden />}
          title="Other rules are published than are in force"
        >
          <Text size="sm">
            {directory.state === 'unreadable'
              ? `${directory.path} cannot be read: ${directory.faults.join('; ')}`
              : `${directory.changes.map(({ file }) => file).join(', ')} in ${directory.path} ${directory.changes.length === 1 ? 'differs from what is in force, and is' : 'differ from what is in force, and are'} not taken (yet). Nothing can be published over them: take them in force with SIGHUP, or roll back in the `}
            {directory.state === 'differs' && <HistoryLink />}
          </Text>
        </Alert>
      )}
      {!directory.is_writable && (
        <Alert
          variant="light"
          color="gray"
          icon={<IconInfoCircle aria-hidden />}
          title="Postern may not write its rules"
        >
          <Text size="sm">
            {directory.path} is read-only. Publishing gives you a patch to apply there instead.
          </Text>
        </Alert>
      )}
    </>
  );
}

function HistoryLink() {
  return (
    <TextLink href="/rules/history" c="inherit" underline="always">
      history
    </TextLink>
  );
}

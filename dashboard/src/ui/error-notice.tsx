import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CopyButton } from './copy-button.tsx';
import { describeError } from './error-text.ts';
import { TextList } from './text-list.tsx';

interface Props {
  /** Null where nothing went wrong: nothing is shown. */
  readonly error: unknown;
  /** Shows a button that tries again. */
  readonly onRetry?: (() => unknown) | undefined;
  readonly retryLabel?: string;
  /** Replaces the title, what was not done: "The entry was not added". */
  readonly deed?: string | undefined;
}

/** Says what went wrong, what to do, and what to quote when asking for help. */
export function ErrorNotice({ error, onRetry, retryLabel = 'Try again', deed }: Props) {
  if (error === null) return null;
  const { title, message, details, advice, code, requestId } = describeError(error);
  return (
    <Alert role="alert" color="red" title={deed ?? title} icon={<IconAlertTriangle aria-hidden />} w="100%">
      <Text size="sm">
        {message}
        {advice !== null && ` ${advice}`}
      </Text>
      <TextList items={details} mt={4} />
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="sm" onClick={() => onRetry()}>
          {retryLabel}
        </Button>
      )}
      {code !== null && (
        <Group mt="xs" gap={4}>
          <Text size="xs" ff="monospace">
            {[code, requestId].filter((part) => part !== null).join(' · ')}
          </Text>
          {requestId !== null && <CopyButton value={requestId} label="Copy the request id" />}
        </Group>
      )}
    </Alert>
  );
}

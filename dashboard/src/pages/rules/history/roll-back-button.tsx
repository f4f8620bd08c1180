import { Button, Checkbox, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../../ui/dialog-form.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { BacktestSummary } from '../publish/backtest-summary.tsx';
import { WhyInput } from '../publish/why-input.tsx';
import { type Published, rollBackQuery, useRollBack, type Version } from '../queries.ts';

interface Props {
  readonly version: Version;
  readonly onDone: (published: Published) => void;
}

export function RollBackButton(props: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={open}>
        Roll back
      </Button>
      {isOpen && <RollBackDialog {...props} onClose={close} />}
    </>
  );
}

/** Rolls back to a version. Shows what it would have done to the checks on record; a person in a hurry need not wait for that. */
function RollBackDialog({ version: { version, ruleset }, onDone, onClose }: Props & { onClose: () => void }) {
  const rollBack = useRollBack();
  const [keepLists, setKeepLists] = useState(true);
  const [why, setWhy] = useState('');
  const submit = async () => {
    onDone(await rollBack.mutateAsync({ version, keepLists, why: why.trim() }));
    onClose();
  };
  return (
    <FormDialog
      title={`Roll back to version ${version}?`}
      size="lg"
      submitLabel="Roll back"
      isDangerous
      change={rollBack}
      deed="The rules were not rolled back"
      onSubmit={() => submit().catch(() => undefined)}
      onClose={onClose}
    >
      <Text size="sm">
        The files of version {version} (<Code>{ruleset ?? 'not compiled'}</Code>) are written back, judged,
        and put in force as a new version. What lies there now and was never in force is saved first.
      </Text>
      <Checkbox
        label="Leave allow.yaml and deny.yaml as they are"
        checked={keepLists}
        onChange={(event) => setKeepLists(event.currentTarget.checked)}
      />
      <Effect version={version} keepLists={keepLists} />
      <WhyInput value={why} onChange={setWhy} />
    </FormDialog>
  );
}

function Effect({ version, keepLists }: { readonly version: number; readonly keepLists: boolean }) {
  const { data, error, refetch } = useQuery(rollBackQuery(version, keepLists));
  return (
    <Stack gap="xs" aria-live="polite">
      <ErrorNotice error={error} onRetry={refetch} deed="What it would have done could not be worked out" />
      {data === undefined && error === null && (
        <Group gap="xs">
          <Loader size={14} aria-hidden />
          <Text size="sm">Working out what it would have done to the checks of 30 days</Text>
        </Group>
      )}
      {data?.replay && <BacktestSummary replay={data.replay} />}
      {data?.state === 'faulty' && (
        <Text size="sm">Lint would refuse this version today: {data.problems[0]?.message}.</Text>
      )}
    </Stack>
  );
}

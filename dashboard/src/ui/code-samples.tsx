import { Anchor, Group, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { AUTHORITY_FILE, codeSamples, SAMPLE_EMAIL } from '../format/code-samples.ts';
import { Dimmed } from './dimmed.tsx';
import { Snippet } from './snippet.tsx';

interface Props {
  readonly email?: string;
  /** The secret of a key that was just made. */
  readonly secret?: string;
}

/** One check by the API in several languages, each with all that it needs to run as it stands. */
export function CodeSamples({ email = SAMPLE_EMAIL, secret }: Props) {
  const { own_authority: hasOwnAuthority } = useSession();
  const [chosen, setChosen] = useState('curl');
  const samples = codeSamples({ origin: location.origin, email, hasOwnAuthority, secret });
  const sample = samples.find(({ language }) => language === chosen) ?? samples[0];
  if (sample === undefined) return null;
  const { file, text, run } = sample;
  return (
    <Stack gap="xs">
      <Group>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={samples.map(({ language }) => language)}
          value={chosen}
          onChange={setChosen}
        />
      </Group>
      {hasOwnAuthority && (
        <Dimmed size="sm">
          This service made its own certificate.{' '}
          <Anchor
            href="/dashboard/api/certificate-authority"
            download={AUTHORITY_FILE}
            size="sm"
            underline="always"
          >
            Download {AUTHORITY_FILE}
          </Anchor>{' '}
          into the directory where you run it.
        </Dimmed>
      )}
      <Snippet
        label={file ?? 'In a shell'}
        text={text}
        copyLabel={file === null ? 'Copy the command' : 'Copy the code'}
      />
      {run !== null && <Snippet label="Then, in a shell" text={run} copyLabel="Copy the command" />}
      {secret === undefined && <Dimmed size="sm">The key is read from the variable POSTERN_KEY.</Dimmed>}
    </Stack>
  );
}

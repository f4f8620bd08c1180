import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { CodeSamples } from '../../ui/code-samples.tsx';
import { Snippet } from '../../ui/snippet.tsx';

interface Props {
  readonly secret: string;
  readonly onDone: () => void;
}

/** A secret, shown this once. The dialog closes only once the person says that it is kept. */
export function SecretShown({ secret, onDone }: Props) {
  const [isKept, setIsKept] = useState(false);
  useHeldPage();
  return (
    <Stack>
      <Alert color="yellow" title="Shown only now" icon={<IconEyeOff aria-hidden />}>
        Postern stores a hash of it and cannot show it again. Put it where your programs find it, and nowhere
        else.
      </Alert>
      <Snippet label="The key" text={secret} copyLabel="Copy the key" />
      <CodeSamples secret={secret} />
      <Checkbox
        label="I have put the key where I will find it"
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!isKept}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

/** Asks before the page is unloaded, and makes Back stay on the page: pushes a history entry of the same URL, again after each Back. */
function useHeldPage(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const hold = () => history.pushState({ isHeld: true }, '', location.href);
    hold();
    window.addEventListener('beforeunload', ask);
    window.addEventListener('popstate', hold);
    return () => {
      window.removeEventListener('beforeunload', ask);
      window.removeEventListener('popstate', hold);
      // Not where another page was opened meanwhile.
      if (history.state?.isHeld) history.back();
    };
  }, []);
}

import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface Props extends Pick<ButtonProps, 'size' | 'variant' | 'color' | 'leftSection' | 'disabled'> {
  /** On the button that asks. */
  readonly label: ReactNode;
  /** What is about to happen, as a question: "Revoke this key?". */
  readonly title: string;
  /** What follows from it, and whether it can be undone. */
  readonly children: ReactNode;
  /** On the button that does it: a verb. */
  readonly confirmLabel: string;
  /** What has to be typed first; for what cannot be undone. */
  readonly typed?: string;
  /** The dialog stays until it is done, and shows why it could not be. */
  readonly onConfirm: () => Promise<unknown>;
  readonly isDangerous?: boolean;
}

/** A button whose effect is asked about first. */
export function ConfirmButton(props: Props) {
  const { label, title, children, confirmLabel, typed, onConfirm, isDangerous = true, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const [text, setText] = useState('');
  const [state, setState] = useState<{ readonly isPending: boolean; readonly error: unknown }>(IDLE);
  const start = () => {
    setText('');
    setState(IDLE);
    open();
  };
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    setState({ isPending: true, error: null });
    try {
      await onConfirm();
      setState(IDLE);
      close();
    } catch (error) {
      setState({ isPending: false, error });
    }
  };
  return (
    <>
      <Button {...button} onClick={start}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} centered>
        <form onSubmit={confirm}>
          <Stack>
            <Text size="sm" component="div">
              {children}
            </Text>
            {typed !== undefined && (
              <TextInput
                label={`Type "${typed}" to go on`}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
              />
            )}
            {state.error !== null && <ErrorNotice error={state.error} />}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                type="submit"
                color={isDangerous ? 'red' : undefined}
                disabled={typed !== undefined && text !== typed}
                loading={state.isPending}
              >
                {confirmLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

const IDLE = { isPending: false, error: null };

import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretShown } from './secret-shown.tsx';

interface Props {
  readonly title: string;
  /** The title once there is a secret. */
  readonly titleOfSecret: string;
  /** Undefined until it is made. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
  /** The form that is shown before. */
  readonly children: ReactNode;
}

/** Shows the form that makes a secret, then the secret in its place. */
export function SecretDialog({ title, titleOfSecret, secret, onClose, children }: Props) {
  const isShown = secret !== undefined;
  return (
    <Dialog
      onClose={onClose}
      title={isShown ? titleOfSecret : title}
      size="lg"
      // A secret that vanished by a stray key or click could not be brought back.
      closeOnEscape={!isShown}
      closeOnClickOutside={false}
      withCloseButton={!isShown}
    >
      {isShown ? <SecretShown secret={secret} onDone={onClose} /> : children}
    </Dialog>
  );
}

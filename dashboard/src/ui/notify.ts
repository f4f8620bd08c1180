import { notifications } from '@mantine/notifications';

/** Says for some seconds that something was done: "The key is revoked." What failed belongs where it was asked for, in an ErrorNotice. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', role: 'status', autoClose: 5_000, withBorder: true });
}

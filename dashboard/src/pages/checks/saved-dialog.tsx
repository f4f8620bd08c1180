import { ActionIcon, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSession } from '../../api/session.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';
import { readSearches, removeSearch, saveSearch, searchOf } from './saved-searches.ts';

/** Searches under names, in this browser. */
export function SavedSearches() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconBookmark size={14} aria-hidden />} onClick={open}>
        Saved searches
      </Button>
      {isOpen && <SavedDialog onClose={close} />}
    </>
  );
}

function SavedDialog({ onClose }: { readonly onClose: () => void }) {
  const [current] = useSearchParams();
  const { id: person } = useSession().person;
  const [searches, setSearches] = useState(() => readSearches(person));
  const [fault, setFault] = useState<string | null>(null);
  const search = searchOf(current);
  const attempt = (change: () => typeof searches): boolean => {
    try {
      setSearches(change());
      setFault(null);
      return true;
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  return (
    <Dialog onClose={onClose} title="Saved searches" centered>
      <Stack>
        {searches.length === 0 && (
          <Text size="sm">
            None yet. They are kept in this browser; the address of a search can be shared.
          </Text>
        )}
        <Stack gap={4} role="list" aria-label="Saved searches">
          {searches.map((saved) => (
            <Group key={saved.name} role="listitem" justify="space-between" wrap="nowrap">
              <Anchor
                component={AccountLink}
                href={`/checks?${saved.search}`}
                onClick={onClose}
                style={{ overflowWrap: 'anywhere' }}
              >
                {saved.name}
              </Anchor>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${saved.name}`}
                onClick={() => attempt(() => removeSearch(person, saved.name))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
        {search !== '' && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const { name } = fieldsOf(event.currentTarget, ['name']);
              const field = event.currentTarget;
              if (attempt(() => saveSearch(person, { name: name.trim(), search }))) field.reset();
            }}
          >
            <Group align="flex-end" gap="xs">
              <TextInput
                name="name"
                label="Name of this search"
                description="A saved one of the same name is replaced"
                error={fault}
                required
                pattern=".*\S.*"
                maxLength={80}
                autoComplete="off"
                flex={1}
                data-autofocus
              />
              <Button type="submit">Save</Button>
            </Group>
          </form>
        )}
      </Stack>
    </Dialog>
  );
}

import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowBackUp, IconDots, IconFilePlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { FormDialog } from '../../ui/dialog-form.tsx';
import type { RuleFiles } from './language/names.ts';
import type { Workspace } from './workspace.ts';

interface Props {
  readonly file: string;
  readonly workspace: Workspace;
  readonly onEdit: (change: (files: RuleFiles) => RuleFiles) => void;
  readonly onOpen: (file: string) => void;
}

/** The file names that the service takes. */
const NAME =
  /^(?:(?:tests\/|lists\/)?[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.yaml|lists\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.txt)$/;

/** The actions on a file, and one that makes a new file. */
export function FileActions({ file, workspace: { files, base }, onEdit, onOpen }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const undo = () =>
    onEdit((before) => {
      const { [file]: _now, ...others } = before;
      const text = base[file];
      return text === undefined ? others : { ...others, [file]: text };
    });
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon size="lg" aria-label="More for files">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFilePlus size={16} aria-hidden />} onClick={open}>
            New file…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            disabled={files[file] === base[file]}
            onClick={undo}
          >
            As it is in force
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            disabled={file === 'decision.yaml'}
            onClick={() => onEdit(({ [file]: _gone, ...others }) => others)}
          >
            Delete {file}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isOpen && (
        <NewFile
          files={files}
          onMake={(path) => {
            onEdit((before) => ({ ...before, [path]: textOf(path) }));
            onOpen(path);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

interface NewFileProps {
  readonly files: RuleFiles;
  readonly onMake: (path: string) => void;
  readonly onClose: () => void;
}

function NewFile({ files, onMake, onClose }: NewFileProps) {
  const [path, setPath] = useState('');
  const fault = Object.hasOwn(files, path)
    ? 'There is a file of this name.'
    : path !== '' && !NAME.test(path)
      ? 'A file is called name.yaml, tests/name.yaml, lists/name.yaml or lists/name.txt: letters, digits, - and _.'
      : null;
  return (
    <FormDialog
      title="New file"
      centered
      submitLabel="Make it"
      isDisabled={path === '' || fault !== null}
      onSubmit={() => onMake(path)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="A group of rules is called after what its rules look at: hosting.yaml. Its tests are tests/hosting.yaml. A list of domains is lists/partners.yaml."
        placeholder="hosting.yaml"
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        error={fault}
        data-autofocus
      />
    </FormDialog>
  );
}

/** What a new file begins with, so that the editor has something to complete. */
function textOf(path: string): string {
  if (path.startsWith('tests/')) return '- name: \n  facts: {}\n  expect: {}\n';
  if (path.endsWith('.txt'))
    return '# A domain on each line; .example.org is the domain with its subdomains.\n';
  if (path.startsWith('lists/')) return 'description: \nowner: \nentries:\n  - \n';
  const group = path
    .replace(/\.yaml$/, '')
    .replaceAll(/\W/g, '_')
    .toLowerCase();
  return `group: ${group}\ndescription: \nmax_score: 50\n\nrules:\n`;
}

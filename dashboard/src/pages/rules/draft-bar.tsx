import { ActionIcon, Button, Group, Menu, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCloudUpload, IconDeviceFloppy, IconDots } from '@tabler/icons-react';
import { hasCode } from '../../api/api-error.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import classes from './draft-bar.module.css';
import { conflictsOf } from './language/conflicts.ts';
import { PublishDialog } from './publish/publish-dialog.tsx';
import { type Draft, type HowToReplay, isGone, type Problem, type Rules } from './queries.ts';
import { RenameDialog } from './rename-dialog.tsx';
import type { Saving } from './saving.ts';
import { forgetText } from './unsaved-text.ts';
import { changedIn, ofRulesInForce, type Workspace } from './workspace.ts';

interface Props {
  readonly rules: Rules;
  readonly workspace: Workspace;
  readonly isUnsaved: boolean;
  /** Whether the browser keeps what is not saved. */
  readonly isKept: boolean;
  readonly how: HowToReplay;
  readonly problems: readonly Problem[];
  readonly saving: Saving;
  readonly person: string;
  /** The text was made from rules or a draft that have changed since. */
  readonly isBehind: boolean;
  readonly onRenamed: (draft: Draft) => void;
  readonly onLoad: (workspace: Workspace) => void;
  /** Null opens the rules in force. */
  readonly onOpen: (draft: string | null) => void;
}

const IN_FORCE = 'in_force';

/** The draft that is worked on, and the actions for the whole of it. */
export function DraftBar(props: Props) {
  const { rules, workspace, isUnsaved, isKept, how, problems, saving, person, isBehind } = props;
  const { onRenamed, onLoad, onOpen } = props;
  const [publishing, publish] = useDisclosure();
  const [renaming, rename] = useDisclosure();
  const [discarding, discard] = useDisclosure();
  const { draftId, revision, name } = workspace;
  const summary = rules.drafts.find(({ id }) => id === draftId);
  const openChoice = (value: string | null) => onOpen(value === IN_FORCE ? null : value);
  const isSame = changedIn(workspace).size === 0;
  const undoAll = () => onLoad({ ...ofRulesInForce(rules), draftId, revision, name, saved: workspace.saved });
  return (
    <>
      <div className={classes.bar}>
        <Select
          aria-label="What to work on"
          data={choicesOf(rules)}
          value={draftId ?? IN_FORCE}
          onChange={openChoice}
          allowDeselect={false}
          className={classes.choice}
          comboboxProps={{ width: 360, position: 'bottom-start' }}
        />
        <Dimmed size="sm" role="status" className={classes.state}>
          {isUnsaved ? unsavedText(isKept) : summary ? <SavedAt summary={summary} /> : ''}
        </Dimmed>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
            disabled={!isUnsaved}
            loading={saving.isPending}
            onClick={() => saving.save().catch(() => undefined)}
          >
            Save draft
          </Button>
          <Button
            leftSection={<IconCloudUpload size={16} aria-hidden />}
            disabled={isSame || isBehind || conflictsOf(workspace.files).length > 0}
            onClick={publish.open}
          >
            Publish…
          </Button>
          <Menu position="bottom-end" shadow="md">
            <Menu.Target>
              <ActionIcon size="lg" aria-label="More for drafts">
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item disabled={draftId === null} onClick={rename.open}>
                Rename…
              </Menu.Item>
              <Menu.Item disabled={isSame} onClick={undoAll}>
                Undo all changes
              </Menu.Item>
              <Menu.Item color="red" disabled={draftId === null} onClick={discard.open}>
                Discard draft…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </div>
      {saving.error !== null && !isNewer(saving.error) && (
        <ErrorNotice error={saving.error} deed="The draft was not saved" />
      )}
      {publishing && (
        <PublishDialog
          {...{ rules, workspace, isUnsaved, how, problems }}
          onSave={saving.save}
          onClose={publish.close}
          onPublished={() => onOpen(null)}
        />
      )}
      {renaming && draftId !== null && (
        <RenameDialog draft={{ id: draftId, revision }} {...{ name, onRenamed }} onClose={rename.close} />
      )}
      {discarding && draftId !== null && (
        <DiscardDialog
          {...{ draftId, name }}
          onClose={discard.close}
          onDiscarded={() => {
            forgetText(person, draftId);
            onOpen(null);
          }}
        />
      )}
    </>
  );
}

/** Another person has saved, published or discarded the draft. NewerNotice says so, with the way to go on. */
function isNewer(error: unknown): boolean {
  return isGone(error) || hasCode(error, 'draft_changed');
}

function unsavedText(isKept: boolean): string {
  return isKept ? 'Not saved; kept in this browser' : 'Not saved, and not kept in this browser';
}

function SavedAt({ summary }: { readonly summary: Rules['drafts'][number] }) {
  return (
    <>
      Saved by {summary.saved_by.name} <RelativeTime at={summary.saved_at} />
      {summary.is_behind && ', behind the rules in force'}
    </>
  );
}

function choicesOf({ in_force: { ruleset, version }, drafts }: Rules) {
  const number = version === null ? '' : `, version ${version}`;
  return [
    { value: IN_FORCE, label: `In force: ${ruleset}${number}` },
    ...drafts.map(({ id, name, author }) => ({ value: id, label: `Draft ${name}, by ${author.name}` })),
  ];
}

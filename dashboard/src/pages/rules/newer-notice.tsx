import { Alert, Button, Group, Text } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type Merged, useKeepingAsDraft, useMerging } from './merging.ts';
import type { Newer } from './newer.ts';
import type { Rules } from './queries.ts';
import type { Workspace } from './workspace.ts';

interface Props {
  readonly rules: Rules;
  readonly workspace: Workspace;
  readonly newer: Newer;
  readonly onMerged: (merged: Merged) => void;
  /** Takes the newer draft in place of what was typed. */
  readonly onTake: () => void;
  /** Gets the other draft, with what was typed meanwhile; also called once the page is left. */
  readonly onKept: (merged: Merged) => void;
  readonly onOpen: (draft: string | null) => void;
}

/** Says that another person was faster, before anything is saved or published over it, with the way to go on. */
export function NewerNotice({ rules, workspace, newer, onMerged, onTake, onKept, onOpen }: Props) {
  const merging = useMerging(workspace, onMerged);
  if (newer === null) return null;
  if (newer === 'gone') return <GoneNotice {...{ workspace, onKept, onOpen }} />;
  const { title, at, text } = newer === 'draft' ? ofNewerDraft(rules, workspace) : ofRulesInForce(rules);
  return (
    <Alert color="yellow" icon={<IconGitMerge aria-hidden />} title={title} role="alert">
      <Text size="sm">
        That was <RelativeTime at={at} />. {text} Where both have changed the same lines, you choose in the
        text. Nothing is saved or published by it.
      </Text>
      <Group mt="sm" gap="xs">
        <Button size="xs" loading={merging.isPending} onClick={() => merging.mutate(newer)}>
          Merge it into yours
        </Button>
        {newer === 'draft' && (
          <Button size="xs" variant="default" onClick={onTake}>
            Take theirs instead
          </Button>
        )}
      </Group>
      <ErrorNotice error={merging.error} deed="The two were not merged" />
    </Alert>
  );
}

function GoneNotice({ workspace, onKept, onOpen }: Pick<Props, 'workspace' | 'onKept' | 'onOpen'>) {
  const keeping = useKeepingAsDraft(workspace, onKept);
  return (
    <Alert
      color="yellow"
      icon={<IconGitMerge aria-hidden />}
      title="This draft was published or discarded"
      role="alert"
    >
      <Text size="sm">
        Your text is still here. It can be kept as a new draft, merged with the rules in force. Where both
        have changed the same lines, you choose in the text. Nothing is published by it.
      </Text>
      <Button
        mt="sm"
        size="xs"
        loading={keeping.isPending}
        // TanStack Query does not call it once the page is left: another page stays open.
        onClick={() => keeping.mutate(undefined, { onSuccess: ({ merged }) => onOpen(merged.draftId) })}
      >
        Keep it as a new draft
      </Button>
      <ErrorNotice error={keeping.error} deed="The text was not kept" />
    </Alert>
  );
}

function ofNewerDraft({ drafts }: Rules, { draftId }: Workspace) {
  const summary = drafts.find(({ id }) => id === draftId);
  return {
    title: `${summary?.saved_by.name ?? 'Another person'} saved a newer version`,
    at: summary?.saved_at ?? null,
    text: 'What you have typed is still here, and is not saved over it: merge the two.',
  };
}

function ofRulesInForce({ in_force: { author, version, since } }: Rules) {
  const number = version === null ? 'other rules' : `version ${version}`;
  return {
    title: author === null ? `Other rules are in force: ${number}` : `${author} published ${number}`,
    at: since,
    text: 'Your text was made of the rules before it, and is not published over them: merge the two.',
  };
}

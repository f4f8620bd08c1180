import { Button, Group, Loader, Select, Stack, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { formatCounted } from '../../format/numbers.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { FileActions } from './file-actions.tsx';
import { groupFiles } from './group-files.ts';
import type { RuleFiles } from './language/names.ts';
import type { RuleLanguage } from './language/suggestions.ts';
import { ProblemList } from './problem-list.tsx';
import type { Problem } from './queries.ts';
import classes from './source-panel.module.css';
import { changedIn, type Workspace } from './workspace.ts';

// The editor is half of what this page loads, and no other page needs it.
const YamlEditor = lazy(() => import('./editor/yaml-editor.tsx'));

interface Props {
  readonly workspace: Workspace;
  readonly language: RuleLanguage;
  readonly problems: readonly Problem[];
  readonly isLinting: boolean;
  readonly error: unknown;
  readonly onRetry: () => unknown;
  /** The file that is shown. */
  readonly file: string;
  /** A place in `file`. */
  readonly goTo: Place | null;
  readonly onOpen: (file: string, place?: Place) => void;
  readonly onEdit: (change: (files: RuleFiles) => RuleFiles) => void;
  readonly onSave: () => void;
  /** Begins a rule in `file`. */
  readonly onNewRule: (file: string) => void;
}

export type Place = Pick<Problem, 'line' | 'column' | 'end_column'>;

/** A choice of files, the text of one of them, and the problems that lint found in all. */
export function SourcePanel(props: Props) {
  const { workspace, language, problems, isLinting, error, file, goTo, onOpen, onEdit, onSave } = props;
  const { onNewRule, onRetry } = props;
  const { files } = workspace;
  const changed = useMemo(() => changedIn(workspace), [workspace]);
  const own = useMemo(() => problems.filter((problem) => problem.file === file), [problems, file]);
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label="File"
          data={groupFiles(Object.keys(files), changed, problems)}
          value={file}
          onChange={(value) => value !== null && onOpen(value)}
          allowDeselect={false}
          searchable
          flex={1}
          maxDropdownHeight={420}
        />
        <Button variant="default" onClick={() => onNewRule(file)} flex="none">
          New rule…
        </Button>
        <FileActions {...{ file, workspace }} onEdit={onEdit} onOpen={onOpen} />
      </Group>
      <div className={classes.editor}>
        <ErrorBoundary>
          <Suspense fallback={<TextBeforeEditor text={files[file] ?? ''} />}>
            <YamlEditor
              key={file}
              {...{ file, files, language, goTo }}
              problems={own}
              onChange={(text) =>
                onEdit((before) => (before[file] === text ? before : { ...before, [file]: text }))
              }
              onSave={onSave}
            />
          </Suspense>
        </ErrorBoundary>
      </div>
      <ErrorNotice error={error} deed="The text could not be linted" onRetry={onRetry} />
      <Group gap="xs" mih={24} role="status">
        <Dimmed size="sm">{describe(problems)}</Dimmed>
        {isLinting && <Loader size={14} aria-hidden />}
      </Group>
      <ProblemList problems={problems} onOpen={(problem) => onOpen(problem.file, problem)} />
    </Stack>
  );
}

/** The text to read until the editor is loaded, which takes seconds on a slow line. */
function TextBeforeEditor({ text }: { readonly text: string }) {
  return (
    <>
      <VisuallyHidden role="status">Loading the editor</VisuallyHidden>
      <pre className={classes.text}>{text}</pre>
    </>
  );
}

function describe(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (problems.length === 0) return 'Lint finds nothing.';
  return [formatCounted(errors, 'error'), formatCounted(warnings, 'warning')].join(', ');
}

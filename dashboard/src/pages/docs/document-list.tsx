import { SimpleGrid } from '@mantine/core';
import { TextLink } from '../../ui/account-link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { DocumentGroup } from './document.ts';
import { DocumentText } from './document-text.tsx';
import { ENTRIES } from './documents.ts';

/** All documents, by group. */
export function DocumentList() {
  return (
    <Page
      title="Docs"
      description="As of the version that runs here. Ctrl-K looks through all of it: ask in your own words."
    >
      <DocumentText id="index" />
      <Entries group="package" title="This version" />
      <Entries
        group="providers"
        title="Providers"
        description="What each signal tells, and how it finds out."
      />
      <Entries group="decisions" title="Decisions" description="Why it is so: a page for each." />
    </Page>
  );
}

interface Props {
  readonly group: DocumentGroup;
  readonly title: string;
  readonly description?: string;
}

function Entries({ group, title, description }: Props) {
  return (
    <div id={group}>
      <Panel title={title} description={description}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" verticalSpacing={0}>
          {ENTRIES.filter((entry) => entry.group === group).map(({ id, title }) => (
            <TextLink key={id} href={`/docs/${id}`} py={4}>
              {title}
            </TextLink>
          ))}
        </SimpleGrid>
      </Panel>
    </div>
  );
}

import { Badge, Tabs } from '@mantine/core';
import { useAddress } from '../../address.ts';
import { type OwnList, useLists } from '../../api/lists.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { DataLists } from './data-lists.tsx';
import { DownloadList } from './download-list.tsx';
import { EntryList } from './entry-list.tsx';
import { NamedLists } from './named-lists.tsx';

const TABS = ['allow', 'deny', 'named', 'downloaded', 'built-in'] as const;

/** Every list that decides something. */
export default function ListsPage() {
  const [search, put] = useAddress();
  const { data, error, refetch } = useLists();
  const wanted = search.get('list');
  const tab = TABS.find((name) => name === wanted) ?? 'allow';
  const own = (name: OwnList['list']) => data?.own.find(({ list }) => list === name);
  return (
    <Page
      docs="dashboard#lists"
      title="Lists"
      description="Who is never blocked by the rules and who always is, and the lists of domains that rules look into and providers answer from."
    >
      <ErrorNotice error={error} deed="The lists could not be read" onRetry={() => refetch()} />
      <Tabs value={tab} onChange={(list) => put({ list })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tab name="allow" label="Allow" count={own('allow')?.entries.length} />
          <Tab name="deny" label="Deny" count={own('deny')?.entries.length} />
          <Tab name="named" label="Named" count={data?.named.length} />
          <Tab name="downloaded" label="Downloaded" count={data?.downloads.length} />
          <Tab name="built-in" label="Of the providers" count={data?.data.length} />
        </Tabs.List>
        <Tabs.Panel value="allow">
          <EntryList name="allow" list={own('allow')} />
        </Tabs.Panel>
        <Tabs.Panel value="deny">
          <EntryList name="deny" list={own('deny')} />
        </Tabs.Panel>
        <Tabs.Panel value="named">
          <NamedLists lists={data?.named} />
        </Tabs.Panel>
        <Tabs.Panel value="downloaded">
          <DownloadList downloads={data?.downloads} />
        </Tabs.Panel>
        <Tabs.Panel value="built-in">
          <DataLists lists={data?.data} downloads={data?.downloads} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

interface TabProps {
  readonly name: (typeof TABS)[number];
  readonly label: string;
  readonly count: number | undefined;
}

function Tab({ name, label, count }: TabProps) {
  const badge =
    count === undefined ? null : (
      <Badge size="sm" color="gray" circle={count < 10}>
        {count}
      </Badge>
    );
  return (
    <Tabs.Tab value={name} rightSection={badge}>
      {label}
    </Tabs.Tab>
  );
}

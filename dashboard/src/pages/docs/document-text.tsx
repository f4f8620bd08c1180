import { Skeleton } from '@mantine/core';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Prose } from './prose.tsx';
import { useDocument } from './use-document.ts';

/** A document's text, as soon as it is there. */
export function DocumentText({ id }: { readonly id: string }) {
  const { data, error, refetch } = useDocument(id);
  if (error)
    return <ErrorNotice error={error} deed="The document could not be loaded" onRetry={() => refetch()} />;
  if (!data) return <Skeleton h={320} role="status" aria-label="Loading the document" />;
  return <Prose nodes={data.body} />;
}

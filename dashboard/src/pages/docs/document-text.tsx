import { Loaded } from '../../ui/loaded.tsx';
import { Prose } from './prose.tsx';
import { useDocument } from './use-document.ts';

/** A document's text, as soon as it is there. */
export function DocumentText({ id }: { readonly id: string }) {
  return (
    <Loaded
      query={useDocument(id)}
      deed="The document could not be loaded"
      label="Loading the document"
      height={320}
    >
      {(document) => document && <Prose nodes={document.body} />}
    </Loaded>
  );
}

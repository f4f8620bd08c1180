import { Center, Loader } from '@mantine/core';
import { Activity, type ComponentType, lazy, Suspense } from 'react';
import { matchRoute, Redirect, Route, Switch, useLocation, useRouter, useSearchParams } from 'wouter';
import { may } from './access.ts';
import { chooseAccount, withParameter } from './account-choice.ts';
import { useAccount } from './account-in-view.ts';
import { useSession, useSessionQuery } from './api/session.ts';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { UnknownAccountPage } from './pages/unknown-account-page.tsx';
import { PAGES, type PageEntry, SIGNED_OUT } from './pages.ts';
import { firstPage, landing } from './route-choice.ts';
import { Shell } from './shell/shell.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ErrorNotice } from './ui/error-notice.tsx';
import { isLostModule } from './ui/error-text.ts';

const ROUTES: readonly (PageEntry & { readonly component: ComponentType })[] = PAGES.map((entry) => ({
  ...entry,
  component: pageOf(entry),
}));

const SignInPage = pageOf(SIGNED_OUT.signIn);
const SetupPage = pageOf(SIGNED_OUT.setup);

/** The pages before the sign-in, and behind it everything in the registry. */
export function Routes() {
  return (
    <Suspense fallback={<WaitingPage />}>
      <Switch>
        <Route path={SIGNED_OUT.signIn.path} component={SignInRoute} />
        <Route path={SIGNED_OUT.setup.path} component={SetupPage} />
        <Route component={SignedInRoutes} />
      </Switch>
    </Suspense>
  );
}

/** A person who is signed in already is sent on to the page that was wanted. */
function SignInRoute() {
  const [search] = useSearchParams();
  const { parser } = useRouter();
  const { data: session } = useSessionQuery();
  if (!session || session.hasEnded) return <SignInPage />;
  const mayOpen = (path: string, named: string | null) => {
    const account = chooseAccount(session.accounts, named);
    const page = PAGES.find(({ path: pattern }) => matchRoute(parser, pattern, path)[0]);
    return (
      (named === null || account !== undefined) && page !== undefined && may(page.access, session, account)
    );
  };
  return <Redirect to={landing(search.get('next'), mayOpen)} replace />;
}

function SignedInRoutes() {
  const [path] = useLocation();
  const { data: session, error, refetch } = useSessionQuery();
  if (session) {
    return (
      <>
        <Activity mode={session.hasEnded ? 'hidden' : 'visible'}>
          <Shell>
            <Pages />
          </Shell>
        </Activity>
        {session.hasEnded && <SignInPage />}
      </>
    );
  }
  if (session === null) {
    const wanted = `${path}${location.search}${location.hash}`;
    return (
      <Redirect to={wanted === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(wanted)}`} replace />
    );
  }
  return (
    <Center h="100vh" p="md" component="main">
      {error === null ? (
        <Loader role="status" aria-label="Loading" />
      ) : (
        <ErrorNotice error={error} onRetry={() => refetch()} />
      )}
    </Center>
  );
}

function Pages() {
  const session = useSession();
  const account = useAccount();
  const [path] = useLocation();
  const [search] = useSearchParams();
  const visible = ROUTES.filter(({ access }) => may(access, session, account));
  const first = firstPage(visible);
  const named = search.get('account');
  return (
    <Suspense fallback={<WaitingPage />}>
      {/* No fallback to another account: its figures would be taken for those of the account that the URL names. */}
      {named !== null && account === undefined ? (
        <UnknownAccountPage named={named} />
      ) : (
        <Switch>
          {visible.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          {path === '/' && first !== undefined && (
            <Redirect to={withParameter(first, 'account', search.get('account'))} replace />
          )}
          <Route component={NotFoundPage} />
        </Switch>
      )}
    </Suspense>
  );
}

/**
 * A page, fetched when it is first shown. `lazy` keeps a failure for ever: a new `lazy` fetches again at the next visit. Vite never fetches
 * a style sheet twice: once the module can be fetched, the whole document is loaded anew.
 */
function pageOf({ load }: Pick<PageEntry, 'load'>): ComponentType {
  let Loaded = lazy(load);
  const loadAnew = async () => {
    await load();
    location.reload();
    return new Promise<never>(() => undefined);
  };
  const noteError = (error: unknown) => {
    if (isLostModule(error)) Loaded = lazy(loadAnew);
  };
  return () => (
    <ErrorBoundary onError={noteError}>
      <Loaded />
    </ErrorBoundary>
  );
}

function WaitingPage() {
  return (
    <Center mih="50vh">
      <Loader role="status" aria-label="Loading the page" />
    </Center>
  );
}

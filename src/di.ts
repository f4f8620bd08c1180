import 'reflect-metadata';

export {
  container as rootContainer,
  type DependencyContainer,
  type InjectionToken,
  inject,
  injectAll,
  injectable,
  instanceCachingFactory,
  singleton,
} from 'tsyringe';

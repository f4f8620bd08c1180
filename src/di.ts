// The only file that imports tsyringe: its decorators need reflect-metadata to be loaded first.
import 'reflect-metadata';
import { type DependencyContainer, container as root } from 'tsyringe';

export { type DependencyContainer, type InjectionToken, inject, injectAll, injectable } from 'tsyringe';

/**
 * Creates a separate container. tsyringe can only make children of its global container; nothing is ever
 * registered there, so a child of it shares nothing with its siblings.
 */
export function createContainer(): DependencyContainer {
  return root.createChildContainer();
}

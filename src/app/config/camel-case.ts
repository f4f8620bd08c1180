/** `plain_port` to `plainPort`: keys are snake_case in files and camelCase in code. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Which methods a path supports, so that a known path with a wrong method is told from an unknown path. */
export class RouteTable {
  readonly #routes = new Map<string, { segments: readonly string[]; methods: Set<string> }>();

  /** `url` as the router takes it: `/v1/jettons/:address/stats`. */
  add(method: string, url: string): void {
    const route = this.#routes.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    route.methods.add(method);
    this.#routes.set(url, route);
  }

  /** Methods of all routes that match the path (without its query), ascending; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const segments = path.split('/');
    const methods = [...this.#routes.values()]
      .filter((route) => matches(route.segments, segments))
      .flatMap((route) => [...route.methods]);
    return [...new Set(methods)].sort();
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]))
  );
}

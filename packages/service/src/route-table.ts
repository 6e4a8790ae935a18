/** Which methods a path supports, so that a known path with a wrong method is told from an unknown path. */
export class RouteTable {
  readonly #routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** `url` as the router takes it: `/v1/jettons/:address/stats`, `/charts/:metric-:color.svg`. */
  add(method: string, url: string): void {
    // OPTIONS is asked for by browsers alone, and answered to nobody else.
    if (method === 'OPTIONS') return;
    const route = this.#routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    route.methods.add(method);
    this.#routes.set(url, route);
  }

  /** Methods of all routes that match the path (without its query), ascending; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const methods = [...this.#routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods]);
    return [...new Set(methods)].sort();
  }
}

/** A parameter takes one character at least, and no slash. */
function patternOf(url: string): RegExp {
  const parts = url.split(/(:[A-Za-z]+)/);
  const source = parts.map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${source.join('')}$`);
}

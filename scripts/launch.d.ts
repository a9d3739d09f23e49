/** What launch.js offers to TypeScript: how it starts Node, for whoever must start it the same way. */
export declare const nodeFlags: readonly string[]
export declare const compileCache: { readonly NODE_COMPILE_CACHE: string }
export declare function launch(wanted: 'production' | 'all', file: string, args: readonly string[]): void

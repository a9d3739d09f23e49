/** Types of run-node.js: how Node is started, for tests and benches that must start it in the same way. */
export declare const nodeFlags: readonly string[]
export declare const compileCache: { readonly NODE_COMPILE_CACHE: string }

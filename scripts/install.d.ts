/** Types of install.js, for the tests that install packages of their own. */
export declare function install(root: string, wanted: 'production' | 'all'): void
export declare function nodeFor(root: string, wanted: 'production' | 'all'): string | undefined

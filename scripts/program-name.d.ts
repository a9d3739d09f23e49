/** Types of program-name.js, for its test. */
export declare function programName(script: string, folder: string, env: NodeJS.ProcessEnv): string

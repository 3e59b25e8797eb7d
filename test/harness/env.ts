/** What a child process needs of this machine, and nothing of what was set for us. */
export const machineEnv = { PATH: process.env['PATH'], HOME: process.env['HOME'] }

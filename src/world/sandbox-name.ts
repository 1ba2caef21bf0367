/** What may name a sandbox; not `.` or `..`, which clients resolve as parts of the path. */
export const SANDBOX_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,64}$/

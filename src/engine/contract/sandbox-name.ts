/** Except `.` and `..`, which clients resolve in a path. */
export const SANDBOX_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,64}$/

/** The names of sandboxes; clients resolve `.` and `..` as parts of the path. */
export const SANDBOX_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,64}$/

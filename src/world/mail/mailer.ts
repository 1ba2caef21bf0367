/** The mailer; imported lazily, as few servers send. */
export { createTransport } from 'nodemailer'

import './worlds/worlds.test.js'
import './worlds/invitations.test.js'
import './worlds/sandbox-ways.test.js'

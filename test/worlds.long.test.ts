import './worlds/worlds.model.long.test.js'

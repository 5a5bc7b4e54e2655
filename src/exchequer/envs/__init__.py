"""The games through the interfaces that researchers use: Gymnasium, PettingZoo, OpenSpiel.

    exchequer.envs.gymnasium     one seat against bots, and the solo game
    exchequer.envs.pettingzoo    all seats, agent by agent
    exchequer.envs.parallel      all seats, those asked together in one step
    exchequer.envs.vector        many games at once over the compiled rules
    exchequer.envs.openspiel     Python games for OpenSpiel's algorithms
"""

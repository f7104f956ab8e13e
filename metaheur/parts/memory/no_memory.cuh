struct NoMemory : NoMemoryData {};
